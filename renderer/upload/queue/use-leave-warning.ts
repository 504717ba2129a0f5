import { useEffect } from 'react';
import { isOpen, type UploadItem } from './types.ts';

/** What the warning needs of a queue. */
interface Leavable {
  getSnapshot(): { items: readonly Pick<UploadItem, 'state'>[] };
}

/** Lets the browser ask before the page is closed while uploads wait or run. */
export function useLeaveWarning(queue: Leavable): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (queue.getSnapshot().items.some(isOpen)) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [queue]);
}
