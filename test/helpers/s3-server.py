"""An S3 server on a port of the loopback that checks signatures: moto."""

import sys
import urllib.parse

from moto.iam import access_control
from moto.server import main

request_of = access_control.S3IAMRequest._create_aws_request


def encode(text):
    return urllib.parse.quote(text, safe="-_.~")


def encoded(self):
    """moto signs the decoded path and query. AWS and its clients sign the encoded ones."""
    path, mark, query = self._path.partition("?")
    pairs = urllib.parse.parse_qsl(query, keep_blank_values=True)
    query = "&".join(f"{encode(name)}={encode(value)}" for name, value in pairs)
    self._path = urllib.parse.quote(urllib.parse.unquote(path), safe="/-_.~") + mark + query
    return request_of(self)


access_control.S3IAMRequest._create_aws_request = encoded
main(["-H", "127.0.0.1", "-p", sys.argv[1]])
