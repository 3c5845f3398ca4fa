#!/bin/sh
# Without words: the server. Otherwise another command of the image.
if [ $# -gt 0 ]; then exec "$@"; fi
exec clickhouse server
