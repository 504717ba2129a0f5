import { Notifications } from '@mantine/notifications';

/** The notifications, in a file that is loaded after the page. */
export function Overlays() {
  return <Notifications position="bottom-center" limit={3} style={{ marginBlockEnd: 'var(--pd-below-picture, 0px)' }} />;
}
