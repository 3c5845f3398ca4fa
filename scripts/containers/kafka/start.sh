#!/bin/sh
# Writes the broker's configuration from KAFKA_* as the entry point of apache/kafka does, formats new storage, and runs the broker.
set -eu
properties=/opt/kafka/config/server.properties
env | grep '^KAFKA_' | grep -v '^KAFKA_HEAP_OPTS=' | while IFS='=' read -r name value; do
  echo "$(echo "${name#KAFKA_}" | tr 'A-Z_' 'a-z.')=$value"
done > "$properties"
java -cp '/opt/kafka/libs/*' kafka.tools.StorageTool format --ignore-formatted -t 5L6g3nShT-eMCtK--X86sw -c "$properties"
# shellcheck disable=SC2086
exec java ${KAFKA_HEAP_OPTS:--Xmx512m} -XX:+UseSerialGC -cp '/opt/kafka/libs/*' kafka.Kafka "$properties"
