/** Whether keys pressed on an element are text for it. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable]') !== null
  );
}

/** Whether a dialog, menu or list is open, which has keys of its own. */
export function isOverlaid(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null;
}
