/** Originals may be HTML-like (SVG) or polyglots: none of them can run scripts. */
export const ORIGINAL_CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
