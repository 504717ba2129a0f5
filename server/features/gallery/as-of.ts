/** A moment in the order of uploads, as clients see it: the id of the latest upload at that moment. */
export const toAsOf = (uploadId: number): string => uploadId.toString(36);

export const toUploadId = (asOf: string): number => Number.parseInt(asOf, 36);
