import { useNotifications } from '@mantine/notifications';
import { type ComponentType, useEffect, useState } from 'react';
import { load } from '#renderer/service/connection.ts';
import { useLoadWhenIdle } from '#renderer/service/idle.ts';

const getOverlays = async () => (await import('./overlays.tsx')).Overlays;

/** The notifications. Their code is loaded for the first one, or before it when the page is idle; until then, they queue. */
export function NotificationArea() {
  const { length } = useNotifications().notifications;
  const [Overlays, setOverlays] = useState<ComponentType>();
  useLoadWhenIdle(getOverlays);
  useEffect(() => {
    // After a failure, the next notification tries again.
    if (length > 0) load(getOverlays).then((loaded) => setOverlays(() => loaded), reportError);
  }, [length]);
  return Overlays && <Overlays />;
}
