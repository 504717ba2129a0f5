import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { explainApp } from './folders.ts';

/** Shows an error of the app that has no place on the page. */
export function showAppError(error: unknown) {
  const { what } = explainApp(error);
  notifications.show({ color: 'red.7', title: what, message: undefined, icon: <IconAlertTriangle size={18} />, autoClose: 10_000 });
}
