/**
 * Of recognised text, in characters. More than this would keep the service busy for too long while it is added to the search index. The declarations of
 * the tables aren't loaded when the service starts, and this is.
 */
export const MAX_RECOGNIZED_TEXT = 20_000;
