/// Gives the variants of an enum names of one word, by which they are written and read.
macro_rules! named {
    ($type:ident { $($variant:ident = $name:literal),+ }, $error:ident = $message:literal) => {
        impl $type {
            /// All of them.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$variant),+];

            /// The name in one word.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),+
                }
            }
        }

        /// Writes the name.
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        #[cfg(feature = "serde")]
        $crate::serde_as_text!($type);

        /// The error for a name that none of them has.
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        #[error($message)]
        #[non_exhaustive]
        pub struct $error {
            /// The name.
            pub name: String,
        }

        /// Reads the name, in upper or lower case, or its beginning.
        impl std::str::FromStr for $type {
            type Err = $error;

            fn from_str(text: &str) -> Result<$type, $error> {
                let name = $crate::names::find(text, &$type::ALL.map($type::name));
                let found = $type::ALL.into_iter().find(|known| Some(known.name()) == name);
                found.ok_or_else(|| $error { name: text.to_owned() })
            }
        }
    };
}

pub(super) use named;
