import { Notifications } from '@mantine/notifications';

/** Where messages appear. They are kept until it is there, so it loads after the page itself. */
export function Overlays() {
  return <Notifications position="bottom-center" limit={3} />;
}
