#!/bin/sh
exec java -Xmx128m -cp '/opt/kafka/tools/*' org.apache.kafka.tools.BrokerApiVersionsCommand "$@"
