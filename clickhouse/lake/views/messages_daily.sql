-- Messages by day, direction and kind. An internal message is counted once a direction.
-- reads: base
-- needs: base.message_hours.hour
SELECT
    h.block_date AS day, -- The day, UTC
    h.direction AS direction, -- in or out
    h.kind AS kind, -- internal, ext_in or ext_out
    h.bounced AS bounced, -- True for messages that returned
    toInt64(sum(h.messages)) AS messages, -- Messages
    CAST(sum(h.value), 'Decimal(38, 0)') AS value, -- Value, nanotons; 0 for external messages
    CAST(sum(h.forward_fees), 'Decimal(38, 0)') AS forward_fees, -- Forward fees, nanotons; 0 for external messages
    toDateTime(h.block_date, 'UTC') AS block_time, -- Start of the day, UTC
    h.block_date AS block_date -- The day, UTC
FROM {views}.messages_hourly AS h
GROUP BY h.block_date, h.direction, h.kind, h.bounced
