"""The connection to a cluster, or a reason soon why there is none.

Ray itself goes on for two minutes if nobody answers, and names no reason if the token is missing.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from pathlib import Path

import ray
from ray._private.services import get_ray_address_from_environment
from ray._raylet import GcsClient  # type: ignore[attr-defined, unused-ignore]

REACH = 8.0
ANSWER = 12.0
"""The seconds that the head has to accept a connection, and to answer as Ray."""


def connect(address: str) -> None:
    """Connects this process to a cluster: HOST:PORT, "auto", or "local" for a new one.

    ConnectionError within 30 seconds if nobody answers, and if the token is missing or another one.
    """
    if address != "local":
        _check_token()
    head = address
    if address == "auto":
        # None if no cluster was started here, which Ray reports itself.
        head = get_ray_address_from_environment(address, None) or ""
    # Other kinds of address are left to Ray.
    if ":" in head and "://" not in head:
        _check(head)
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except SystemExit:
        # Ray ends the process if it cannot connect.
        raise ConnectionError(f"Ray cannot connect to {address}") from None


def _check_token() -> None:
    """Ray itself ends with a failed assertion if there is none."""
    if os.environ.get("RAY_AUTH_MODE") != "token" or os.environ.get("RAY_AUTH_TOKEN"):
        return
    path = Path(os.environ.get("RAY_AUTH_TOKEN_PATH") or Path.home() / ".ray" / "auth_token")
    if not path.is_file():
        raise ConnectionError(
            f"RAY_AUTH_MODE is token, but there is no token in RAY_AUTH_TOKEN, and no file {path}"
        )


def _check(head: str) -> None:
    host, _, port = head.rpartition(":")
    if not port.isdecimal():
        raise ValueError(f"an address is HOST:PORT, auto or local, not {head}")
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACH).close()
    except OverflowError:
        raise ValueError(f"there is no port {port}") from None
    except OSError as error:
        raise ConnectionError(f"nobody answers at {head}: {error.strerror or error}") from None
    failed: list[BaseException] = []

    def ask() -> None:
        try:
            GcsClient(address=head)
        except BaseException as error:
            failed.append(error)

    # Nothing ends the question itself.
    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(ANSWER)
    if asking.is_alive():
        raise ConnectionError(f"who answers at {head} is not the head of a Ray cluster")
    if failed and isinstance(failed[0], ray.exceptions.AuthenticationError):
        raise ConnectionError(
            f"the cluster at {head} refuses this program's token: set RAY_AUTH_MODE=token, and"
            " RAY_AUTH_TOKEN to the token that the cluster was started with"
        )
    if failed:
        raise ConnectionError(f"the cluster at {head} does not answer: {failed[0]}")
