import { Notifications } from '@mantine/notifications';

/** The notifications. They queue until this has loaded, so it can load after the page. */
export function Overlays() {
  return <Notifications position="bottom-center" limit={3} />;
}
