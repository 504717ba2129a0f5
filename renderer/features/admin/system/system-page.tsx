import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import type { System } from '#api/admin/system.ts';
import shared from '#renderer/components/layout/rows.module.css';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';
import classes from '../admin.module.css';
import { Disks } from '../disks.tsx';
import { AdminPage, Loaded, Part } from '../page.tsx';
import { SpacePart } from './space.tsx';

/** The state of the service and its disk usage. */
export function SystemPage() {
  const { t } = useTranslation('admin');
  const query = useQuery({ queryKey: ['admin', 'system'], queryFn: ({ signal }) => client.call('GET /admin/system', { signal }) });
  return (
    <AdminPage title={t('sections.system')}>
      <Loaded query={query}>
        {(system) => (
          <>
            <Part title={t('system.service')}>
              <Facts system={system} />
            </Part>
            <Part title={t('system.formats')} hint={t('system.formatsHint')}>
              <Decoders decoders={system.decoders} />
            </Part>
            <Part title={t('system.disks')} hint={t('system.disksHint')}>
              <Disks disks={system.disks} />
            </Part>
          </>
        )}
      </Loaded>
      <SpacePart />
    </AdminPage>
  );
}

/** Translated names; other programs go by their own. */
const PROGRAMS = { node: 'system.node', database: 'system.database' } as const;

function Facts({ system }: { system: System }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const nameOf = (program: string) => (program in PROGRAMS ? t(PROGRAMS[program as keyof typeof PROGRAMS]) : program);
  const facts: [string, string][] = [
    [t('system.version'), system.version],
    [t('system.started'), format.moment(system.started_at)],
    [t('system.address'), system.link_address],
    [t('system.dataFolder'), system.data_folder],
    [t('system.databaseSize'), format.bytes(system.database_bytes)],
    [t('system.memory'), format.bytes(system.memory_bytes)],
    [t('system.platform'), system.platform],
    ...Object.entries(system.versions).map(([name, version]): [string, string] => [nameOf(name), version]),
  ];
  return (
    <dl className={classes.table}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

function Decoders({ decoders }: { decoders: Record<string, boolean> }) {
  const { t } = useTranslation('admin');
  return (
    <ul className={shared.rows} style={{ display: 'flex', flexWrap: 'wrap', gap: '0.5rem' }}>
      {Object.entries(decoders).map(([name, works]) => (
        <li key={name}>
          <Badge variant={works ? 'default' : 'outline'} color="red" c="var(--mantine-color-text)" tt="none">
            {works ? name : t('system.cannotRead', { name })}
          </Badge>
        </li>
      ))}
    </ul>
  );
}
