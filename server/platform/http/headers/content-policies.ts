/** Originals may be HTML-like (SVG) or polyglots: none of them can run scripts. */
export const ORIGINAL_CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
/** The same for a video, which browsers show in a page that loads it once more. */
export const VIDEO_CSP = "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox";
