import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { configQuery } from '#renderer/service/queries.ts';

/** Names the browser's tab after what a page shows; before that is known, it keeps the name that the service gave the page. */
export function usePageTitle(title: string | undefined) {
  const { data: config } = useQuery(configQuery);
  useEffect(() => {
    if (!title || !config) return;
    document.title = `${title} · ${config.site_name}`;
    return () => {
      document.title = config.site_name;
    };
  }, [title, config]);
}
