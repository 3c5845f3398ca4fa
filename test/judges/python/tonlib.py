"""Passes requests to tonlibjson, the official C++ library: one JSON object a line in, its answer a line out."""
import ctypes, json, sys, time

LIBRARY = sys.argv[1]
ANSWER_SECONDS = 60

lib = ctypes.CDLL(LIBRARY)
lib.tonlib_client_json_create.restype = ctypes.c_void_p
lib.tonlib_client_json_send.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
lib.tonlib_client_json_receive.argtypes = [ctypes.c_void_p, ctypes.c_double]
lib.tonlib_client_json_receive.restype = ctypes.c_char_p
lib.tonlib_client_set_verbosity_level.argtypes = [ctypes.c_int]
lib.tonlib_client_set_verbosity_level(0)
client = lib.tonlib_client_json_create()


def ask(number, request):
    request["@extra"] = str(number)
    lib.tonlib_client_json_send(client, json.dumps(request).encode())
    end = time.time() + ANSWER_SECONDS
    while time.time() < end:
        answer = lib.tonlib_client_json_receive(client, 1.0)
        if answer:
            answer = json.loads(answer)
            if answer.get("@extra") == str(number):
                return answer
    return {"@type": "error", "code": -1, "message": f"no answer in {ANSWER_SECONDS} s"}


for number, line in enumerate(sys.stdin):
    print(json.dumps(ask(number, json.loads(line))), flush=True)
