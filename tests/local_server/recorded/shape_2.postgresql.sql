SELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public.api_keys (
    id text NOT NULL,
    hash text NOT NULL,
    hint text NOT NULL,
    project text NOT NULL,
    mode text NOT NULL,
    plan text NOT NULL,
    per_minute integer NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint
);
CREATE TABLE public.conversations (
    id text NOT NULL,
    project text NOT NULL,
    mode text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    message_count integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.messages (
    seq bigint NOT NULL,
    id text NOT NULL,
    conversation_id text NOT NULL,
    role text NOT NULL,
    content text NOT NULL,
    created_at bigint NOT NULL
);
CREATE SEQUENCE public.messages_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.messages_seq_seq OWNED BY public.messages.seq;
CREATE TABLE public.owners (
    project text NOT NULL,
    mode text NOT NULL,
    conversation_count integer NOT NULL
);
CREATE TABLE public.schema_version (
    version integer NOT NULL
);
CREATE TABLE public.tool_calls (
    seq bigint NOT NULL,
    id text NOT NULL,
    conversation_id text NOT NULL,
    message_id text NOT NULL,
    name text NOT NULL,
    input text NOT NULL,
    tools text NOT NULL,
    agent_name text NOT NULL,
    "offset" integer NOT NULL,
    state text NOT NULL,
    result text,
    is_finished boolean NOT NULL,
    round integer DEFAULT 0 NOT NULL,
    used_skills text DEFAULT '[]'::text NOT NULL,
    hand_overs_left integer DEFAULT 0 NOT NULL
);
CREATE SEQUENCE public.tool_calls_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.tool_calls_seq_seq OWNED BY public.tool_calls.seq;
ALTER TABLE ONLY public.messages ALTER COLUMN seq SET DEFAULT nextval('public.messages_seq_seq'::regclass);
ALTER TABLE ONLY public.tool_calls ALTER COLUMN seq SET DEFAULT nextval('public.tool_calls_seq_seq'::regclass);
INSERT INTO public.api_keys (id, hash, hint, project, mode, plan, per_minute, created_at, revoked_at) VALUES ('key_85969c4e', 'e695eecebe42997c7c55c49f36d29099f1565e466e64a8b25b294a5ab13b5d54', 'pk_live_rec…', 'tests', 'live', 'pro', 300, 1767323046678901, NULL);
INSERT INTO public.api_keys (id, hash, hint, project, mode, plan, per_minute, created_at, revoked_at) VALUES ('key_a0dcb9aa', '6bb611615d7d0a9a80ee1eb3324326f759d212b53ceeda572004bbf4dbefde56', 'pk_test_rec…', 'other', 'test', 'free', 60, 1767323047678901, 1767323048678901);
INSERT INTO public.conversations (id, project, mode, created_at, updated_at, message_count) VALUES ('conv_77758cd4fcad7057ee5dc7a1507e393d', 'tests', 'live', 1767323050678901, 1767323050678901, 0);
INSERT INTO public.conversations (id, project, mode, created_at, updated_at, message_count) VALUES ('conv_5e0a8b16fd7b766e22e58ff354a27de6', 'other', 'test', 1767323051678901, 1767323045678901, 1);
INSERT INTO public.conversations (id, project, mode, created_at, updated_at, message_count) VALUES ('conv_163223b10463b2df22e55563402375cd', 'tests', 'live', 1767323049678901, 1767323052678901, 2);
INSERT INTO public.messages (seq, id, conversation_id, role, content, created_at) VALUES (1, 'msg_1', 'conv_163223b10463b2df22e55563402375cd', 'user', 'What is in them?', 1767323045678901);
INSERT INTO public.messages (seq, id, conversation_id, role, content, created_at) VALUES (2, 'msg_2', 'conv_5e0a8b16fd7b766e22e58ff354a27de6', 'user', 'Odd words: 💬 '' \ "', 1767323045678901);
INSERT INTO public.messages (seq, id, conversation_id, role, content, created_at) VALUES (3, 'msg_3', 'conv_163223b10463b2df22e55563402375cd', 'assistant', 'One moment.', 1767323045678901);
INSERT INTO public.owners (project, mode, conversation_count) VALUES ('tests', 'live', 2);
INSERT INTO public.owners (project, mode, conversation_count) VALUES ('other', 'test', 1);
INSERT INTO public.schema_version (version) VALUES (2);
INSERT INTO public.tool_calls (seq, id, conversation_id, message_id, name, input, tools, agent_name, "offset", state, result, is_finished, round, used_skills, hand_overs_left) VALUES (2, 'call_2', 'conv_163223b10463b2df22e55563402375cd', 'msg_3', 'read_file', '{"path": "a"}', '[]', 'assistant', 11, 'queued', NULL, false, 0, '["weekly"]', 2);
INSERT INTO public.tool_calls (seq, id, conversation_id, message_id, name, input, tools, agent_name, "offset", state, result, is_finished, round, used_skills, hand_overs_left) VALUES (1, 'call_1', 'conv_163223b10463b2df22e55563402375cd', 'msg_3', 'read_file', '{"path": "a"}', '[]', 'assistant', 11, 'answered', 'A', false, 0, '["weekly"]', 2);
SELECT pg_catalog.setval('public.messages_seq_seq', 3, true);
SELECT pg_catalog.setval('public.tool_calls_seq_seq', 2, true);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_id_key UNIQUE (id);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.owners
    ADD CONSTRAINT owners_pkey PRIMARY KEY (project, mode);
ALTER TABLE ONLY public.tool_calls
    ADD CONSTRAINT tool_calls_id_key UNIQUE (id);
ALTER TABLE ONLY public.tool_calls
    ADD CONSTRAINT tool_calls_pkey PRIMARY KEY (seq);
CREATE INDEX conversations_by_owner ON public.conversations USING btree (project, mode, updated_at, id);
CREATE INDEX messages_by_conversation ON public.messages USING btree (conversation_id, seq);
CREATE INDEX tool_calls_by_conversation ON public.tool_calls USING btree (conversation_id, seq);
CREATE INDEX tool_calls_by_message ON public.tool_calls USING btree (message_id, seq);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES public.conversations(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.tool_calls
    ADD CONSTRAINT tool_calls_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES public.conversations(id) ON DELETE CASCADE;
