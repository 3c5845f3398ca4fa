"""Checks of schemathesis for the APIs of tonhouse: a 5xx is an answer only in the words that the contract has for it."""
import re
import schemathesis

# v2-endpoints.md 3, v3-endpoints.md 9: what is not held, no node, a contract that failed.
DOCUMENTED = re.compile(
    r"LITE_SERVER_|no workers available|Exit code -?\d+ != 0|unsupported stack parameter type"
    r"|Unsupported stack entry type|.*(transaction hash mismatch|cannot locate transaction)"
    r"|Result stack depth|cannot apply external message"
    # A projection that is built or catches up, and a store that is busy: both with Retry-After.
    r"|the projection \w+ is|no blocks indexed yet|the database is busy|the server is busy"
)


@schemathesis.check
def documented_server_errors(ctx, response, case):
    if response.status_code < 500:
        return
    error = response.json().get("error", "")
    if not DOCUMENTED.match(error):
        raise AssertionError(f"{response.status_code} is not documented: {error}")
