import { ActionIcon, Button, Input, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import type { Oidc } from '#api/auth/oidc.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useGroups } from '../use-groups.ts';
import classes from './group-map.module.css';

interface Props {
  claim: ComponentProps<typeof TextInput>;
  map: Oidc['group_map'];
  /** Why an entry was refused. */
  problem(index: number): ReactNode;
  onChange(map: Oidc['group_map']): void;
}

/** Which claim decides on the group of an account, and which of its values leads to which group. */
export function GroupMap({ claim, map, problem, onChange }: Props) {
  const { t } = useTranslation('admin');
  const groups = useGroups().filter(({ kind }) => kind === 'default' || kind === 'custom');
  const data = groups.map(({ id, name }) => ({ value: String(id), label: name }));
  const change = (index: number, entry: Partial<Oidc['group_map'][number]>) =>
    onChange(map.map((one, at) => (at === index ? { ...one, ...entry } : one)));
  return (
    <>
      <TextInput
        label={t('sso.groupsClaim')}
        description={t('sso.groupsClaimHint')}
        placeholder="groups"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...claim}
      />
      {claim.value && (
        <Input.Wrapper label={t('sso.groupMap')} description={t('sso.groupMapHint')} labelElement="div">
          <ol className={classes.map}>
            {map.map((entry, index) => (
              // Entries have no identity but their place.
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <li key={index}>
                <TextInput
                  aria-label={t('sso.groupValue', { number: index + 1 })}
                  value={entry.value}
                  maxLength={500}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  error={problem(index)}
                  onChange={(event) => change(index, { value: event.currentTarget.value })}
                />
                <NativeSelect
                  aria-label={t('sso.groupOf', { number: index + 1 })}
                  value={String(entry.group_id)}
                  data={data}
                  onChange={(event) => change(index, { group_id: Number(event.currentTarget.value) })}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={t('sso.removeGroup', { number: index + 1 })}
                  onClick={() => onChange(map.filter((_, at) => at !== index))}
                >
                  <IconX size={18} />
                </ActionIcon>
              </li>
            ))}
          </ol>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={16} />}
            disabled={groups.length === 0}
            onClick={() => onChange([...map, { value: '', group_id: groups[0]?.id ?? 0 }])}
          >
            {t('sso.addGroup')}
          </Button>
        </Input.Wrapper>
      )}
    </>
  );
}
