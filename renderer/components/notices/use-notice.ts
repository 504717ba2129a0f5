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
    const show = (data: NotificationData) => {
      hide();
      shown.current = notifications.show({ color: 'petrol.7', ...data });
      return shown.current;
    };
    return {
      hide,
      show,
      /** Reports work that takes a while. The returned function ends it with what came of it, unless another notification has taken its place. */
      wait(title: string) {
        const waiting = show({ loading: true, title, message: undefined, autoClose: false, withCloseButton: false });
        return (outcome?: NotificationData) => {
          if (shown.current !== waiting) return;
          if (outcome) show(outcome);
          else hide();
        };
      },
    };
  }, []);
}
