/** A place in a document that shows a picture. */
export interface PictureLink {
  /** What is replaced: offsets in the document's text. */
  start: number;
  end: number;
  /** The path or address, without the escapes of Markdown and HTML; percent-encoding is still there. */
  target: string;
  /** Whether the target is a name that is searched for in the whole folder of notes (Obsidian). */
  isName?: boolean;
  /** What to write in its place. */
  replacement(url: string): string;
}
