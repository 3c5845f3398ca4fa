-- Names of the message bodies that the product can decode.
-- reads:
SELECT
    o.opcode AS opcode, -- First 32 bits of the body, as a signed number
    concat('0x', leftPad(lower(hex(reinterpretAsUInt32(o.opcode))), 8, '0')) AS opcode_hex, -- The same as hex text
    o.name AS name -- Name of the body's layout
FROM values('opcode Int32, name String', {opcodes}) AS o
