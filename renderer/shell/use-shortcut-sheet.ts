import { useEffect, useState } from 'react';
import { isOverlaid, isTyping } from '#renderer/images/typing.ts';

/** Whether to show the list of keyboard shortcuts, which `?` opens on any page. */
export function useShortcutSheet() {
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key !== '?' || !plain || event.defaultPrevented || isTyping(event.target)) return;
      // The viewer has shortcuts too; menus and questions don't.
      if (isOverlaid() && document.querySelector('[role="dialog"] [data-stage]') === null) return;
      event.preventDefault();
      setOpened(true);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return { opened, open: () => setOpened(true), close: () => setOpened(false) };
}
