SELECT 1
FROM detections.detected_keys PREWHERE key = unhex('AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
AND key_workchain = 0
AND role = 'parent'
AND kind = 'jetton_wallet'
LIMIT 1
