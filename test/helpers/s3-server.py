"""An S3 server on a port of the loopback that checks signatures: moto."""

import sys
import urllib.parse

from moto.iam import access_control
from moto.server import main

request_of = access_control.S3IAMRequest._create_aws_request


def encoded(self):
    """moto signs the decoded path. AWS and its clients sign the encoded one."""
    path, mark, query = self._path.partition("?")
    self._path = urllib.parse.quote(urllib.parse.unquote(path), safe="/-_.~") + mark + query
    return request_of(self)


access_control.S3IAMRequest._create_aws_request = encoded
main(["-H", "127.0.0.1", "-p", sys.argv[1]])
