import { useQuery } from '@tanstack/react-query';
import { unseenQuery } from '#renderer/service/sent.ts';
import classes from './shell.module.css';

/** How much was sent to the user that they haven't seen. */
export function SentBadge() {
  const { data: count = 0 } = useQuery(unseenQuery);
  return count > 0 && <span className={classes.badge}>{count > 999 ? '999+' : count}</span>;
}
