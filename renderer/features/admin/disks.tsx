import { Progress, Stack, Text } from '@mantine/core';
import type { System } from '#api/admin/system.ts';
import shared from '#renderer/components/layout/rows.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useGivenName } from './use-groups.ts';

/** Above this share, the bar turns red. */
const NEARLY_FULL = 0.9;

/** How full the disks are, and whether uploads have stopped. */
export function Disks({ disks }: { disks: System['disks'] }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const given = useGivenName();
  return (
    <Stack component="ul" gap="md" className={shared.rows}>
      {disks.map((disk) => {
        const used = disk.total_bytes ? 1 - disk.free_bytes / disk.total_bytes : 0;
        const state = !disk.healthy
          ? t('disk.broken')
          : disk.total_bytes > 0 && disk.free_bytes <= disk.reserve_bytes
            ? t('disk.stopped')
            : undefined;
        return (
          <li key={disk.policy}>
            <Text fw={580} size="sm">
              {given(disk.policy)}
            </Text>
            {disk.total_bytes === 0 && <p className={shared.mono}>{disk.folder}</p>}
            {disk.total_bytes > 0 && (
              <>
                <Progress
                  my={6}
                  value={used * 100}
                  color={state || used > NEARLY_FULL ? 'red' : 'petrol'}
                  aria-label={t('disk.fullness', { name: given(disk.policy) })}
                />
                <p className={shared.facts}>
                  {t('disk.free', {
                    free: format.bytes(disk.free_bytes),
                    total: format.bytes(disk.total_bytes),
                    reserve: format.bytes(disk.reserve_bytes),
                  })}
                </p>
              </>
            )}
            {state && (
              <Text size="sm" c="var(--mantine-color-error)" role="alert">
                {state}
              </Text>
            )}
          </li>
        );
      })}
    </Stack>
  );
}
