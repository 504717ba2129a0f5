/** The number of bits that differ between two perceptual hashes. */
export const differentBits = (a: string, b: string): number => (BigInt(`0x${a}`) ^ BigInt(`0x${b}`)).toString(2).replaceAll('0', '').length;
