import { type ComponentType, type ReactElement, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { load } from '#renderer/service/connection.ts';
import { useLoadWhenIdle } from '#renderer/service/idle.ts';

/** Attributes of the button. All but the first are for the time before the popup’s code is there. */
export interface ButtonProps {
  ref: RefObject<HTMLButtonElement | null>;
  'aria-haspopup'?: 'dialog' | 'menu';
  'aria-expanded'?: false;
  onPointerEnter?: () => void;
  onClick?: () => void;
}

/** Properties of a popup that has its button in it. */
export interface PopupProps {
  button: ReactElement;
}

interface Props<P> {
  /** Loads the popup. The same function every time. */
  get: () => Promise<ComponentType<P & PopupProps>>;
  kind: 'dialog' | 'menu';
  /** Properties of the popup. */
  popup: P;
  button: (props: ButtonProps) => ReactElement;
}

/** A button with a menu or popover whose code is loaded on the first press, or before it when the page is idle. */
export function PopupButton<P extends object>({ get, kind, popup, button }: Props<P>) {
  const notifyError = useNotifyError();
  const ref = useRef<HTMLButtonElement>(null);
  const [Popup, setPopup] = useState<ComponentType<P & PopupProps>>();
  useLoadWhenIdle(get);
  // The popup brings the button that it opens from: that one takes over the press and the focus.
  const pressed = useRef(false);
  useLayoutEffect(() => {
    if (!Popup || !pressed.current) return;
    ref.current?.focus();
    ref.current?.click();
  }, [Popup]);
  if (Popup) return <Popup {...popup} button={button({ ref })} />;
  const open = async () => {
    try {
      const loaded = await load(get);
      pressed.current = document.activeElement === ref.current || document.activeElement === document.body;
      setPopup(() => loaded);
    } catch (error) {
      notifyError(error);
    }
  };
  return button({
    ref,
    'aria-haspopup': kind,
    'aria-expanded': false,
    // A failure doesn't matter before the press.
    onPointerEnter: () => void get().catch(() => undefined),
    onClick: () => void open(),
  });
}
