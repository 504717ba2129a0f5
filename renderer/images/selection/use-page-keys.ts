import { useEffect } from 'react';
import { isOverlaid, isTyping } from '#renderer/images/typing.ts';
import type { Keyed } from './selection.ts';
import type { Selection } from './use-selection.ts';

interface Options<T extends Keyed> {
  /** What is loaded. */
  images: readonly T[];
  selection: Selection<T>;
  /** Undefined where nothing can be removed. */
  onRemove: (() => void) | undefined;
  /** Whether something else has the keys, such as a viewer that is still being loaded. */
  inactive: boolean;
}

/** The grid's keys wherever the focus is on the page: Ctrl+A selects what is loaded; Escape and Delete are for what is selected. */
export function usePageKeys<T extends Keyed>({ images, selection, onRemove, inactive }: Options<T>): void {
  useEffect(() => {
    // What is open when the key goes down: Escape closes it before the event arrives here.
    let overlaid = false;
    const note = () => {
      overlaid = isOverlaid();
    };
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.shiftKey || isTyping(event.target) || overlaid) return;
      const command = event.ctrlKey || event.metaKey;
      const selectsAll = command && event.key.toLowerCase() === 'a';
      // Not the text of the page either.
      if (inactive) return selectsAll ? event.preventDefault() : undefined;
      if (selectsAll && images.length > 0) selection.toggleAll(images.filter((image) => !selection.has(image)));
      else if (!command && event.key === 'Escape' && selection.size > 0) selection.clear();
      else if (!command && event.key === 'Delete' && selection.size > 0 && onRemove) onRemove();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', note, { capture: true });
    document.addEventListener('keydown', press);
    return () => {
      document.removeEventListener('keydown', note, { capture: true });
      document.removeEventListener('keydown', press);
    };
  }, [images, selection, onRemove, inactive]);
}
