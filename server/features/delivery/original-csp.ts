/** Originals may be HTML-like (SVG) or polyglots: whatever they are, they cannot act. */
export const ORIGINAL_CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
