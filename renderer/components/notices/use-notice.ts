import { type NotificationData, notifications } from '@mantine/notifications';
import { useMemo, useRef } from 'react';

/** A place for one notification at a time: the next one replaces the one before. */
export function useNotice() {
  const shown = useRef<string>(undefined);
  return useMemo(() => {
    const hide = () => {
      if (shown.current) notifications.hide(shown.current);
      shown.current = undefined;
    };
    return {
      hide,
      show(data: NotificationData) {
        hide();
        shown.current = notifications.show({ color: 'petrol.7', ...data });
      },
      /** Reports work that takes a while, until the next notification. */
      wait(title: string) {
        hide();
        shown.current = notifications.show({ loading: true, title, message: undefined, autoClose: false, withCloseButton: false });
      },
    };
  }, []);
}
