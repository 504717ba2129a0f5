import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createFollower } from '#renderer/images/list/follow-events.ts';
import { follow } from '#renderer/service/live/live.ts';

/** Shows what other programs, tabs and devices change. */
export function LiveUpdates() {
  const queryClient = useQueryClient();
  useEffect(() => follow(createFollower(queryClient)), [queryClient]);
  return null;
}
