//! Streams that can tell whether more of them is there.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::time::Duration;

/// A text that may not be there yet.
pub trait Source: BufRead {
    /// Returns whether text or the end can be read after waiting for at most this time.
    fn is_ready(&mut self, patience: Duration) -> bool;
}

impl Source for BufReader<File> {
    fn is_ready(&mut self, patience: Duration) -> bool {
        !self.buffer().is_empty() || arrives(self.get_ref(), patience)
    }
}

/// The standard input, without the buffer of the standard library: what is in it would not be seen.
pub fn stdin() -> io::Result<File> {
    #[cfg(unix)]
    let owned = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned();
    #[cfg(windows)]
    let owned = std::os::windows::io::AsHandle::as_handle(&io::stdin()).try_clone_to_owned();
    owned.map(File::from)
}

#[cfg(unix)]
fn arrives(file: &File, patience: Duration) -> bool {
    use std::os::fd::AsRawFd;
    // A negative time waits for ever.
    let milliseconds = libc::c_int::try_from(patience.as_millis()).unwrap_or(-1);
    let mut wanted = libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one element of the type that the call wants, which nobody else can see.
    let ready = unsafe { libc::poll(&mut wanted, 1, milliseconds) };
    // Reading reports an error better.
    ready != 0
}

/// A file is all there, and a pipe tells what is in it. Nothing else can be read ahead.
#[cfg(windows)]
fn arrives(file: &File, patience: Duration) -> bool {
    use std::ffi::c_void;
    use std::os::windows::io::AsRawHandle;
    use std::time::Instant;
    use std::{ptr, thread};

    unsafe extern "system" {
        fn PeekNamedPipe(
            pipe: *mut c_void,
            text: *mut c_void,
            length: u32,
            copied: *mut u32,
            there: *mut u32,
            left: *mut u32,
        ) -> i32;
    }
    if file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return true;
    }
    let start = Instant::now();
    loop {
        let (none, mut there) = (ptr::null_mut(), 0);
        let pipe = file.as_raw_handle();
        // SAFETY: the number of bytes that are there is written to memory of its type, which nobody else can
        // see, and nothing else is written.
        let peeked = unsafe {
            PeekNamedPipe(pipe, none, 0, ptr::null_mut(), &raw mut there, ptr::null_mut())
        };
        if peeked == 0 {
            // The end can be read.
            return io::Error::last_os_error().kind() == io::ErrorKind::BrokenPipe;
        }
        if there > 0 || start.elapsed() >= patience {
            return there > 0;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Only files can be read ahead.
#[cfg(not(any(unix, windows)))]
fn arrives(file: &File, _: Duration) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.is_file())
}

/// A text that is all there.
#[cfg(test)]
impl Source for &[u8] {
    fn is_ready(&mut self, _: Duration) -> bool {
        true
    }
}

/// A text of which the next line is never there yet.
#[cfg(test)]
pub struct Waiting<R>(pub R);

#[cfg(test)]
impl<R: io::Read> io::Read for Waiting<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes)
    }
}

#[cfg(test)]
impl<R: BufRead> BufRead for Waiting<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.0.consume(amount);
    }
}

#[cfg(test)]
impl<R: BufRead> Source for Waiting<R> {
    fn is_ready(&mut self, _: Duration) -> bool {
        false
    }
}
