// The distributed counter of Firestore's documentation for Node.js: shards, blind increments, and a total that is summed
// from the shards read. Usage: node recipe.mjs create NAME SHARDS | add NAME SHARDS TIMES AT_ONCE | total NAME
import { FieldValue, Firestore } from '@google-cloud/firestore';

const [command, name, ...numbers] = process.argv.slice(2);
const firestore = new Firestore({ projectId: process.env.GOOGLE_CLOUD_PROJECT });
const counter = firestore.collection('counters').doc(name);
const shards = counter.collection('shards');

async function create(count) {
  const batch = firestore.batch();
  batch.set(counter, { num_shards: count });
  for (let shard = 0; shard < count; shard++) {
    batch.set(shards.doc(String(shard)), { count: 0 });
  }
  await batch.commit();
}

async function increment(count) {
  const shard = Math.floor(Math.random() * count);
  await shards.doc(String(shard)).update({ count: FieldValue.increment(1) });
}

async function add(count, times, atOnce) {
  let left = times;
  async function work() {
    while (left > 0) {
      left--;
      await increment(count);
    }
  }
  await increment(count);
  left--;
  console.log('adding');
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function total() {
  const { docs } = await shards.get();
  return docs.reduce((sum, shard) => sum + shard.get('count'), 0);
}

const commands = { create, add, total };
const result = await commands[command](...numbers.map(Number));
console.log(result ?? 'done');
await firestore.terminate();
