import { type RefObject, useEffect } from 'react';
import type { ControllerRef, FullscreenRef, SlideshowRef } from 'yet-another-react-lightbox';

/** Elements with arrow keys of their own. */
const OWN_ARROWS = 'input, textarea, select, [contenteditable], [role="listbox"], [role="menu"], [role="slider"], video';

/**
 * Lets the arrow keys change the image wherever the focus is in the viewer, unless they can move a zoomed one, which the focused stage does.
 * Dialogs above the viewer keep their keys.
 */
export function useArrowKeys(stage: RefObject<HTMLElement | null>, controller: RefObject<ControllerRef | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      const target = event.target as Element;
      const viewer = stage.current?.closest('dialog, [role="dialog"]');
      if (stage.current?.contains(target) && isWider(stage.current)) return;
      if (target.closest(OWN_ARROWS) || !(viewer?.contains(target) || target === document.body)) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'ArrowLeft') controller.current?.prev();
      else controller.current?.next();
    };
    // Before the stage, which would move even an image that has no more to show at its sides.
    document.addEventListener('keydown', press, { capture: true });
    return () => document.removeEventListener('keydown', press, { capture: true });
  }, [stage, controller]);
}

/** Whether the zoomed image reaches beyond the sides of the stage. */
function isWider(stage: HTMLElement): boolean {
  const image = stage.querySelector('[data-current]');
  return image !== null && image.getBoundingClientRect().width > stage.clientWidth + 1;
}

/** How far the keys scroll: a step in CSS pixels, or a share of the stage. */
const STEP_PX = 80;
const PAGE_SHARE = 0.9;
const FAR_PX = 1e7;

/** Scrolls an image that is higher than the stage, wherever the focus is in the viewer except in a panel beside it, which scrolls itself. */
export function useScrollKeys(stage: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as Element;
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !stage.current) return;
      const viewer = stage.current.closest('dialog, [role="dialog"]');
      const image = stage.current.querySelector('[data-current]');
      if (!image || target.closest(`${OWN_ARROWS}, aside`) || !(viewer?.contains(target) || target === document.body)) return;
      const page = stage.current.clientHeight * PAGE_SHARE;
      const steps: Record<string, number> = {
        ArrowDown: STEP_PX,
        ArrowUp: -STEP_PX,
        PageDown: page,
        PageUp: -page,
        End: FAR_PX,
        Home: -FAR_PX,
      };
      const deltaY = steps[event.key];
      if (deltaY === undefined || image.getBoundingClientRect().height <= stage.current.clientHeight + 1) return;
      event.preventDefault();
      event.stopPropagation();
      // The lightbox moves a zoomed image by the wheel, and times the zoom.
      const zoom = image.getBoundingClientRect().width / Math.max(1, Number.parseFloat(getComputedStyle(image).width));
      image.dispatchEvent(new WheelEvent('wheel', { deltaY: deltaY / Math.max(1, zoom), bubbles: true, cancelable: true }));
    };
    document.addEventListener('keydown', press, { capture: true });
    return () => document.removeEventListener('keydown', press, { capture: true });
  }, [stage]);
}

/** Elements in which a key types or presses something. */
export const OWN_KEYS = 'input, textarea, select, [contenteditable], [role="listbox"], [role="menu"]';
export const PRESSED_BY_SPACE = 'button, a, summary, [role="radio"], [role="switch"], [role="checkbox"]';

/**
 * Space starts and pauses the slideshow, F enters and leaves full screen, wherever the focus is in the viewer. Ctrl+A selects none of the
 * text around the image, nor anything behind the viewer.
 */
export function useShowKeys(
  stage: RefObject<HTMLElement | null>,
  slideshow: RefObject<SlideshowRef | null>,
  fullscreen: RefObject<FullscreenRef | null>,
): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as Element;
      const viewer = stage.current?.closest('dialog, [role="dialog"]');
      if (target.closest(OWN_KEYS) || !(viewer?.contains(target) || target === document.body)) return;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') event.preventDefault();
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.repeat) return;
      if (event.key === ' ' && slideshow.current && !target.closest(PRESSED_BY_SPACE)) {
        event.preventDefault();
        const { playing, play, pause } = slideshow.current;
        if (playing) pause();
        else play();
      }
      if (event.key === 'f' && fullscreen.current) {
        event.preventDefault();
        // Not the lightbox's own state, which follows a moment later.
        if (document.fullscreenElement) fullscreen.current.exit();
        else fullscreen.current.enter();
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [stage, slideshow, fullscreen]);
}
