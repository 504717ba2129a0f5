import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

/** Typing must pause this long before a search is sent. */
const DELAY_MS = 250;

interface Props {
  label: string;
  value: string | undefined;
  onSearch: (text: string | undefined) => void;
}

/** The search field of a list, whose text is in the address. */
export function SearchField({ label, value, onSearch }: Props) {
  const ref = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value ?? '');
  const search = useDebouncedCallback((typed: string) => onSearch(typed.trim() || undefined), DELAY_MS);
  // Another address changes the search, but must not overwrite what is being typed.
  useEffect(() => {
    if (document.activeElement !== ref.current) setText(value ?? '');
  }, [value]);
  return (
    <TextInput
      ref={ref}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      flex="1 1 13rem"
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        search(currentTarget.value);
      }}
    />
  );
}
