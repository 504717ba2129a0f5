import { messageBox } from '#main/base/system/message-box.ts';
import type { Texts } from '#main/texts/en.ts';

/** Failures shown together; the log has earlier ones. */
const MAX_TOGETHER = 10;

/** A failure that the user should see. */
interface Failure {
  title: string;
  body: string;
  /** Called when the user wants to see more. */
  onClick?(): void;
}

/** Shows failures in message boxes: one at a time, and those that happen meanwhile together in the next. */
export function createFailureBox(texts: () => Texts): (failure: Failure) => void {
  let waiting: Failure[] = [];
  let isOpen = false;

  async function showAll() {
    isOpen = true;
    while (waiting.length > 0) await show(waiting.splice(0), texts());
    isOpen = false;
  }

  return (failure) => {
    waiting = [...waiting, failure].slice(-MAX_TOGETHER);
    if (!isOpen) void showAll();
  };
}

async function show(failures: readonly Failure[], { closeBox, showMore }: Texts) {
  const [last] = failures.slice(-1);
  if (!last) return;
  const [only] = failures.length === 1 ? failures : [];
  const onClick = failures.findLast((failure) => failure.onClick)?.onClick;
  const button = await messageBox({
    type: 'warning',
    message: last.title,
    detail: only ? only.body : failures.map(({ title, body }) => `${title}\n${body}`).join('\n\n'),
    buttons: [closeBox, ...(onClick ? [showMore] : [])],
    defaultId: 0,
    cancelId: 0,
  });
  if (button === 1) onClick?.();
}
