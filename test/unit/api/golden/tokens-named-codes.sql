SELECT hex(child_code), lt
FROM contracts.tokens_latest PREWHERE account = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND workchain = 0
AND kind = 'jetton_master'
UNION ALL SELECT hex(child_code), lt
FROM detections.detections PREWHERE account = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND workchain = 0
AND kind = 'jetton_master'
AND reason = ''
