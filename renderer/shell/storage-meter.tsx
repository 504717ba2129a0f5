import { Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#renderer/i18n/format.ts';
import { limitsQuery } from '#renderer/service/queries.ts';
import classes from './shell.module.css';

/** The user's storage; the meter needs a quota. */
export function StorageMeter() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: limits } = useQuery(limitsQuery);
  if (!limits) return null;
  const used = format.bytes(limits.storage_used_bytes);
  const share = limits.storage_quota_bytes ? limits.storage_used_bytes / limits.storage_quota_bytes : undefined;
  return (
    <div className={classes.storage}>
      <span>
        {share === undefined ? t('nav.used', { used }) : t('nav.usedOf', { used, quota: format.bytes(limits.storage_quota_bytes) })}
      </span>
      {share !== undefined && (
        <Progress size={4} value={share * 100} color={share > 0.9 ? 'red.7' : undefined} aria-label={t('nav.storage')} />
      )}
    </div>
  );
}
