-- Messages by hour, direction and kind. An internal message is counted once a direction.
-- reads: base
-- needs: base.message_hours.hour
SELECT
    s.hour AS hour, -- Start of the hour of the transaction, UTC
    toString(s.side) AS direction, -- in or out
    toString(s.kind) AS kind, -- internal, ext_in or ext_out
    s.bounced AS bounced, -- True for messages that returned
    toInt64(sum(s.messages)) AS messages, -- Messages
    toDecimal128(toString(sum(s.value)), 0) AS value, -- Value, nanotons; 0 for external messages
    toDecimal128(toString(sum(s.forward_fees)), 0) AS forward_fees, -- Forward fees, nanotons; 0 for external messages
    s.hour AS block_time, -- The same as hour
    toDate(s.hour) AS block_date -- Date of the hour, UTC
FROM {sums base message_hours} AS s
GROUP BY s.hour, s.side, s.kind, s.bounced
