import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CleanedUp, CleanUp, Space } from '#api/admin/system.ts';
import shared from '#renderer/components/layout/rows.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import type { TFunction } from '#renderer/i18n/t.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import classes from '../admin.module.css';
import { useAsk } from '../ask.tsx';
import { Loaded, Part } from '../page.tsx';
import { useChange } from '../use-change.ts';

/** Disk usage, and what can be freed. */
export function SpacePart() {
  const { t } = useTranslation('admin');
  const query = useQuery({ queryKey: ['admin', 'space'], queryFn: ({ signal }) => client.call('GET /admin/system/space', { signal }) });
  return (
    <>
      <Part title={t('system.space')} hint={t('system.spaceHint')}>
        <Loaded query={query}>{(space) => <Where space={space} />}</Loaded>
      </Part>
      <Part title={t('system.cleanUp')} hint={t('system.cleanUpHint')}>
        <Loaded query={query}>
          {(space) => (
            <ul className={shared.rows}>
              {space.clean_ups.map(({ what, frees_bytes }) => (
                <CleanUpRow key={what} what={what} frees={frees_bytes} />
              ))}
            </ul>
          )}
        </Loaded>
      </Part>
    </>
  );
}

function Where({ space }: { space: Space }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const kinds: [string, number][] = [
    [t('system.stored'), space.stored_bytes],
    [t('system.trash'), space.trash.bytes],
    [t('system.thumbnails'), space.thumbnails_bytes],
    [t('system.backups'), space.backups_bytes],
  ];
  return (
    <>
      <Amounts rows={kinds.map(([name, bytes]) => [name, format.bytes(bytes)])} />
      <Text component="h3" fz="0.9375rem" fw={580} mt="sm">
        {t('system.byUser')}
      </Text>
      <Amounts rows={space.by_user.map(({ user, bytes }) => [user?.username ?? t('guests'), format.bytes(bytes)])} />
    </>
  );
}

function Amounts({ rows }: { rows: [string, string][] }) {
  return (
    <dl className={classes.table}>
      {rows.map(([name, amount]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{amount}</dd>
        </div>
      ))}
    </dl>
  );
}

function CleanUpRow({ what, frees }: { what: CleanUp; frees: number }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const ask = useAsk();
  const run = useChange(() => client.call('POST /admin/system/clean-up', { body: { what } }), {
    stale: ['space', 'system', 'images', 'audit'],
    done: (outcome) => describeCleanUp(t, format.bytes, outcome),
  });
  const start = () => run.mutate(undefined);
  const name = t(`system.cleanUps.${what}`);
  const question = { title: t('system.cleanUpQuestion', { name }), text: t('system.trashText'), confirm: name, onConfirm: start };
  return (
    <li className={shared.row}>
      <div className={shared.rowText}>
        <h3>{name}</h3>
        <p className={shared.facts}>{t(`system.cleanUpHints.${what}`)}</p>
      </div>
      <Button
        variant="default"
        size="xs"
        aria-label={t('system.freesOne', { name, size: format.bytes(frees) })}
        disabled={frees === 0}
        loading={run.isPending}
        // Emptying the trash is permanent; everything else is regenerated or wasn't needed.
        onClick={() => (what === 'trash' ? ask(question) : start())}
      >
        {t('system.frees', { size: format.bytes(frees) })}
      </Button>
    </li>
  );
}

/** How much a clean-up has freed, and how much will be freed later. */
export function describeCleanUp(t: TFunction<'admin'>, bytes: (value: number) => string, { freed_bytes, later_bytes }: CleanedUp): string {
  const values = { size: bytes(freed_bytes), later: bytes(later_bytes) };
  if (later_bytes === 0) return t('system.freed', values);
  return t(freed_bytes === 0 ? 'system.freedLater' : 'system.freedPartly', values);
}
