import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import { client } from '#renderer/service/client.ts';

interface Props extends Omit<SelectProps, 'value' | 'onChange' | 'data'> {
  /** The chosen account's id. */
  value: number | null;
  onChange: (id: number | null) => void;
  /** An account to leave out. */
  without?: number;
}

/** A searchable choice of accounts. The service searches, since there may be too many to load. */
export function UserSelect({ value, onChange, without, ...props }: Props) {
  const { t } = useTranslation('admin');
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 250);
  const { data } = useQuery({
    queryKey: ['admin', 'users', 'choice', q],
    queryFn: ({ signal }) => client.call('GET /admin/users', { query: { limit: 50, ...(q && { q }) }, signal }),
    placeholderData: (before) => before,
  });
  const found = data?.items ?? [];
  // One that the address names may not be among the first.
  const { data: chosen } = useQuery({
    queryKey: ['admin', 'users', 'choice', value],
    queryFn: ({ signal }) => client.call('GET /admin/users/:id', { params: { id: value ?? 0 }, signal }),
    enabled: value !== null && data !== undefined && !found.some(({ id }) => id === value),
  });
  const missing = chosen && ['', chosen.username].includes(q) && !found.some(({ id }) => id === chosen.id) ? [chosen] : [];
  const users = [...missing, ...found].filter(({ id, deletion }) => id !== without && !deletion);
  return (
    <Select
      {...props}
      searchable
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      nothingFoundMessage={t('users.none')}
      data={users.map(({ id, username }) => ({ value: String(id), label: username }))}
    />
  );
}
