"""
What schemathesis needs to know of tonhouse: values of its own formats, half of them of the chain that is asked, so that
requests reach rows; and checks. TONHOUSE_URL is the server's address.
"""
import base64
import json
import os
import re
import urllib.request
from dataclasses import dataclass

import schemathesis
from hypothesis import strategies as st

# v2-endpoints.md 3, v3-endpoints.md 9: what is not held, no node, a contract that failed.
DOCUMENTED = re.compile(
    r"LITE_SERVER_|no workers available|Exit code -?\d+ != 0|unsupported stack parameter type"
    r"|Unsupported stack entry type|.*(transaction hash mismatch|cannot locate transaction)"
    r"|Result stack depth|cannot apply external message"
    # v3-rules.md 1: what an emulation refuses.
    r"|EmulationExternalNotAccepted: |mc block seqno is too new|Can't de(code|serialize) |Account is not a known wallet"
    r"|Account state no code or no data|Unsupported wallet type"
    # A projection that is built or catches up, and a store that is busy: both with Retry-After.
    r"|the projection \w+ is|no blocks indexed yet|the database is busy|the server is busy"
)
# Where the request asked for it with x_timeout: its documented answer is 500 (v3-quirks.md).
LATE = "internal server error: the query took longer than its time limit"
# A value that the description allows and the reader does not know.
UNREADABLE = re.compile(r"failed to decode: |failed to parse ")


@dataclass(frozen=True)
class Chain:
    """Values of the chain that is asked."""

    addresses: list
    hashes: list
    bags: list


def read_chain(url):
    def ask(path):
        with urllib.request.urlopen(f"{url}/api/v3/{path}", timeout=60) as answer:
            return json.load(answer)

    listed = ask("transactions?limit=60")
    block = ask("masterchainInfo")["last"]
    messages = [message for one in listed["transactions"] for message in [one["in_msg"], *one["out_msgs"]] if message]
    held = [kind for kind in ("jetton/masters", "jetton/wallets", "nft/collections", "nft/items")]
    tokens = [row["address"] for kind in held for row in ask(f"{kind}?limit=5")[kind.replace("/", "_")]]
    return Chain(
        addresses=sorted({*listed["address_book"], *tokens}),
        hashes=[block["root_hash"], block["file_hash"]]
        + [value for one in listed["transactions"] for value in (one["hash"], one.get("trace_id")) if value]
        + [message["hash"] for message in messages],
        bags=sorted({message["message_content"]["body"] for message in messages if message["message_content"]}),
    )


CHAIN = read_chain(os.environ["TONHOUSE_URL"])


def friendly(workchain, account, tag):
    """The 48 characters of an address, its checksum at the end."""
    data = bytes([tag, workchain & 0xFF]) + account
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021) & 0xFFFF if crc & 0x8000 else crc << 1
    return base64.urlsafe_b64encode(data + crc.to_bytes(2, "big")).decode()


WORKCHAIN = st.sampled_from([0, -1])
BYTES = st.binary(min_size=32, max_size=32)
ADDRESSES = (
    st.sampled_from(CHAIN.addresses)
    | st.builds("{}:{}".format, WORKCHAIN, BYTES.map(bytes.hex))
    | st.builds(friendly, WORKCHAIN, BYTES, st.sampled_from([0x11, 0x51, 0x91, 0xD1]))
)
HASHES = (
    st.sampled_from(CHAIN.hashes)
    | BYTES.map(bytes.hex)
    | BYTES.map(lambda value: base64.b64encode(value).decode())
    | BYTES.map(lambda value: base64.urlsafe_b64encode(value).decode())
)
INT64 = st.integers(-(2**63), 2**63 - 1).map(str)
FORMATS = {
    "ton-address": ADDRESSES,
    "ton-hash": HASHES,
    "ton-boc": st.sampled_from(CHAIN.bags),
    "ton-shard": st.sampled_from(["8000000000000000", "0x8000000000000000"]) | INT64,
    "ton-shard-decimal": st.just("-9223372036854775808") | INT64,
}
for name, values in FORMATS.items():
    schemathesis.openapi.format(name, values)


def in_digits(value):
    if isinstance(value, list):
        return [in_digits(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


@schemathesis.hook
def map_query(ctx, query):
    # An integer of a description may be 7.0; whoever has one spells it 7.
    return query and {name: in_digits(value) for name, value in query.items()}


@schemathesis.check
def documented_server_errors(ctx, response, case):
    if response.status_code < 500:
        return
    error = response.json().get("error", "")
    if error == LATE and "x_timeout" in case.query:
        return
    if not DOCUMENTED.match(error):
        raise AssertionError(f"{response.status_code} is not documented: {error}")


@schemathesis.check
def failures_name_their_status(ctx, response, case):
    if response.status_code < 400:
        return
    body = response.json()
    if body.get("code") != response.status_code or not body.get("error"):
        raise AssertionError(f"{response.status_code} with the body {body}")


@schemathesis.check
def described_values_are_read(ctx, response, case):
    if response.status_code < 400 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    error = response.json().get("error", "")
    if UNREADABLE.match(error):
        raise AssertionError(f"{response.status_code} for what the description allows: {error}")
