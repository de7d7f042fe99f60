// Not for CommonJS under node16, where axios' class AxiosError cannot be augmented.
import { AxiosError } from 'axios';
import {} from 'axios-jitter';

export function attempts(error: unknown): number | undefined {
  return error instanceof AxiosError ? error.retry?.attempts : undefined;
}
