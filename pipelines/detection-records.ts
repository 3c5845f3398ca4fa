/** Topic of the log that follows `contracts`: the outcomes of get methods that were recorded at each masterchain step. */
export const DETECTION_RECORDS = 'detections';
