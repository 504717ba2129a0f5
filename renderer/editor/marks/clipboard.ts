import type { Mark } from '#renderer/editor/tools/tools.ts';

// The page's own clipboard: marks can be pasted into any picture that is edited later, and nothing else can read them.
let copied: Mark | undefined;

export const copiedMark = () => copied;

export function copyMark(mark: Mark): void {
  copied = mark;
}
