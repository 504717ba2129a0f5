import { useQuery } from '@tanstack/react-query';
import { type Reach, reachOf } from '#api/sharing/reach.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { desktopBridge, isServed } from '#renderer/platform/bridge.ts';
import { configQuery } from './queries.ts';

/** Who can open public links, as far as the link address tells; the widest until that is known. */
export function useReach(): Reach {
  const { data: config } = useQuery({ ...configQuery, enabled: isServed() });
  const { data: host } = useQuery({
    queryKey: ['desktop', 'host'],
    queryFn: async () => (await desktopBridge()?.getJoinedHost()) ?? null,
    enabled: !isServed(),
  });
  const address = config?.base_url ?? host?.url;
  return address === undefined ? 'internet' : reachOf(address);
}

/** Returns a function that says who can open a link, such as “Anyone on your network”: one place for these words. */
export function useWhoCanOpen(): (visibility: 'public' | 'private') => string {
  const { t } = useTranslation();
  const reach = useReach();
  return (visibility) => t(visibility === 'private' ? 'opens.private' : `opens.${reach}`);
}
